/// <reference path="../workers/module-path.d.ts" />
import { diffTexts, type TextChange } from '../../../shared/text/line-diff'
import { startDraft } from '../../../shared/review/draft'
import type { Disposable } from '../../../shared/lifetime'
import { toText } from '../../../shared/text/text-facts'
import { WorkerPool } from '../workers/worker-pool'
import type { DraftStarter } from './comparison'
import type { DraftTask } from './draft-worker'
import draftWorker from './draft-worker?modulePath'

/** Compares long texts in a worker; in place if the worker fails. */
export class DraftElsewhere implements Disposable {
  readonly #pool = new WorkerPool<DraftTask, TextChange[]>(draftWorker)

  readonly start: DraftStarter = async (base, proposed) => {
    const compared = await this.#pool.run({ base, proposed })
    const [a, b] = [toText(base), toText(proposed)]
    return startDraft(a, b, compared.ok ? compared.value : diffTexts(a, b))
  }

  dispose(): void {
    this.#pool.dispose()
  }
}
