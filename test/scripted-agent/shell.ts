import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dialects } from '../../src/main/app/dialects'
import { startShell } from '../../src/main/shell/start-shell'
import { scripted } from './dialect'

// The app in Electron, which scripted agents can reach too. Built into .cache/scripted-agent by build.ts.
startShell({
  built: join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main'),
  dialects: [...dialects, scripted],
})
