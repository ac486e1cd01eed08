import { buildScriptedHosts } from '../scripted-agent/build'
import { buildStandIn } from './build.mjs'
import { buildSampleApp } from './sample-app/build'

/**
 * Builds what the specs need, and lets `_electron.launch` find the stand-in where it looks for Electron. Who has set
 * ELECTRON_OVERRIDE_DIST_PATH to a real Electron runs the app's specs on that.
 */
export default async function setUp(): Promise<void> {
  const { distPath } = await buildStandIn()
  process.env['ELECTRON_STAND_IN'] = distPath
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] ||= distPath
  process.env['SAMPLE_APP'] = await buildSampleApp()
  await buildScriptedHosts()
}
