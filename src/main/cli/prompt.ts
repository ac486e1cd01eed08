import { type Result, fail, succeed } from '../../shared/result'

/** The longest prompt, in characters. */
const longestPrompt = 1_000_000

/** The prompt of `greenlight run`: the one that was given, else all of the input. */
export async function readPrompt(
  given: string | null,
  input: AsyncIterable<string | Uint8Array> & { isTTY?: boolean },
): Promise<Result<string>> {
  if (given === null && input.isTTY === true) {
    return fail('usage', 'There is no prompt. Write it after greenlight run, or pipe it in.')
  }
  const pieces: Uint8Array[] = []
  let bytes = 0
  if (given === null) {
    for await (const piece of input) {
      const more = Buffer.from(piece)
      bytes += more.length
      // A character takes no more than four bytes.
      if (bytes > longestPrompt * 4) break
      pieces.push(more)
    }
  }
  const prompt = given ?? Buffer.concat(pieces).toString('utf8')
  if (prompt.length > longestPrompt || bytes > longestPrompt * 4) {
    return fail(
      'usage',
      `The prompt has more than ${longestPrompt} characters. Put it into a file and name that.`,
    )
  }
  if (prompt.trim() === '') return fail('usage', 'The prompt is empty. Write what is to be done.')
  return succeed(prompt)
}
