import { startShell } from './shell/shell'

startShell()
