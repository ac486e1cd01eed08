/**
 * A page that says one sentence, for a person who has opened an address that leads nowhere. The same sentence as plain
 * text would look like a broken app. Needs nothing but itself: no script, no file.
 */
export function refusalPage(sentence: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Greenlight</title>
<style>
:root { color-scheme: light dark; }
body {
  display: grid; place-content: center; box-sizing: border-box; min-height: 100vh; margin: 0; padding: 24px;
  background: light-dark(#ffffff, #17191c); color: light-dark(#1f2328, #e3e6ea);
  font: 13px/1.5 system-ui, sans-serif; text-align: center;
}
h1 { margin: 0 0 8px; font-size: 20px; font-weight: 600; }
p { max-width: 52ch; margin: 0; text-wrap: pretty; }
</style>
<main>
<h1>Greenlight</h1>
<p>${escapeText(sentence)}</p>
</main>
`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
