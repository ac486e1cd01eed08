/**
 * In the bundle this stands for the validator of JSON Schema that conf brings along (electron.vite.config.ts). Our
 * settings are checked by zod, so nothing ever makes one; it would cost a start some 20 ms.
 */
export class Ajv2020 {
  constructor() {
    throw new Error('settings have no JSON schema')
  }
}

/** Formats of that validator, named as conf imports them. */
// oxlint-disable-next-line import/no-default-export
export default function addFormats(): void {
  // There is no validator to give them to.
}
