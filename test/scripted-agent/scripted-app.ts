import { execFileSync } from 'node:child_process'
import { OpenApp, test as base } from '../e2e/open-app'
import { Place } from '../e2e/running-host'
import { ScriptedAgent, type Who } from './agent'
import { scriptedHost, scriptedShell } from './build'

/** The app with scripted agents. */
export class ScriptedApp extends OpenApp {
  readonly #scripted: ScriptedAgent[] = []

  /** A scripted agent that has found the window with a folder: the project, unless told otherwise. */
  async scripted(who: Who = {}, folder: string = this.place.project): Promise<ScriptedAgent> {
    const agent = await ScriptedAgent.connect(this.place.home, folder, who)
    this.#scripted.push(agent)
    return agent
  }

  override async dispose(): Promise<void> {
    for (const agent of this.#scripted) agent.close()
    await super.dispose()
  }
}

/** As `test` of open-app.ts, on the hosts that `host.ts` and `shell.ts` are. */
export const test = base.extend<{ app: ScriptedApp }>({
  app: async ({ host, browser }, use) => {
    const place = new Place(scriptedHost)
    execFileSync('git', ['init', '-q', '-b', 'main', place.project])
    const app = new ScriptedApp(place, host, browser, scriptedShell)
    await use(app)
    await app.dispose()
  },
})
