/** A name on one line: a control character that would break it is shown as a sign. */
export function plainName(name: string): string {
  // oxlint-disable-next-line no-control-regex
  return name.replace(/[\u0000-\u001f\u007f]/g, (control) =>
    control === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + control.charCodeAt(0)),
  )
}
