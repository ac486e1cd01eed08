import type { TextEncoding } from '../../../shared/text/text-facts'

/** How to write a text from now on, as chosen. What is absent stays as on disk. */
export interface Format {
  eol?: 'lf' | 'crlf' | 'cr'
  encoding?: TextEncoding
  bom?: boolean
}

export function isSameFormat(one: Format, other: Format): boolean {
  return one.eol === other.eol && one.encoding === other.encoding && one.bom === other.bom
}
