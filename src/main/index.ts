import { startShell } from './shell/start-shell'

startShell()
