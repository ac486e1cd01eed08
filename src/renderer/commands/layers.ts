/** A menu or a dialog above the page that is not just closing. */
const openLayer = ['menu', 'dialog', 'alertdialog']
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join()

/** Whether an element, by default what has the focus, is in a menu or a dialog that is open above the page. */
export function isInLayer(element = document.activeElement): boolean {
  return element !== null && element.closest(openLayer) !== null
}
