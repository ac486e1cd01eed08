/** A notebook of one cell, `c1`, as a file has it. */
export function notebook(source: string): string {
  const cell = { cell_type: 'code', id: 'c1', execution_count: null, metadata: {}, outputs: [] }
  return JSON.stringify({
    ...{ cells: [{ ...cell, source: [source] }], metadata: {} },
    ...{ nbformat: 4, nbformat_minor: 5 },
  })
}

/** What its cell says. */
export function textOfCell(file: string): string {
  const { cells } = JSON.parse(file) as { cells: { source: string | string[] }[] }
  return [cells[0]?.source ?? ''].flat().join('')
}
