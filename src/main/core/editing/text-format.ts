import type { TextEncoding } from '../../../shared/text/text-facts'

/** How a text shall be written from now on, where somebody has chosen so. What is absent stays as the disk has it. */
export interface Format {
  eol?: 'lf' | 'crlf' | 'cr'
  encoding?: TextEncoding
  bom?: boolean
}

/** Whether two choices are the same. */
export function isSameFormat(one: Format, other: Format): boolean {
  return one.eol === other.eol && one.encoding === other.encoding && one.bom === other.bom
}
