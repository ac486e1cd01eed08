import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/**
 * What we send and read of the stream protocol, held against the types that its vendor publishes. They are fetched for
 * this test alone; the app does not depend on them.
 */
const run = promisify(execFile)
const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const version = '0.3.330'
const cache = join(repository, '.cache', 'interop')
const home = join(cache, `claude-agent-sdk-${version}`)
const types = join(home, 'package', 'sdk.d.ts')

/** Fetches the package without what it depends on; false where the registry can't be reached. */
async function fetchTypes(): Promise<boolean> {
  if (await isThere(types)) return true
  await mkdir(cache, { recursive: true })
  const staging = await mkdtemp(join(cache, 'fetching-'))
  try {
    const wanted = `@anthropic-ai/claude-agent-sdk@${version}`
    const packed = await run('npm', [
      'pack',
      wanted,
      '--silent',
      '--fetch-retries=1',
      '--pack-destination',
      staging,
    ]).catch(() => null)
    if (!packed) return false
    await run('tar', ['-xzf', join(staging, packed.stdout.trim().split('\n').at(-1) ?? ''), '-C', staging])
    await rename(staging, home).catch(() => undefined)
    return await isThere(types)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const check = `
import type { z } from 'zod'
import type * as Theirs from './package/sdk'
import type { PermissionResult } from '../../../src/main/protocols/claude-tools/tool-wire'
import type * as Ours from '../../../src/main/protocols/claude-sdk/wire-messages'

type Fits<One extends Other, Other> = One
type Asked<S> = Extract<Theirs.SDKControlRequest['request'], { subtype: S }>

// What is sent.
export type Request = Fits<Ours.SentRequest, Theirs.SDKControlRequest['request']>
export type Prompt = Fits<Ours.SentPrompt, Theirs.SDKUserMessage>
type Allow = Omit<Extract<PermissionResult, { behavior: 'allow' }>, 'updatedPermissions'>
export type Permission = Fits<Allow | Extract<PermissionResult, { behavior: 'deny' }>, Theirs.PermissionResult>

// What is read.
export type CanUseTool = Fits<Asked<'can_use_tool'>, z.input<typeof Ours.controlRequest>>
export type Elicitation = Fits<Asked<'elicitation'>, z.input<typeof Ours.controlRequest>>
export type Dialog = Fits<Asked<'request_user_dialog'>, z.input<typeof Ours.controlRequest>>
export type Hook = Fits<Asked<'hook_callback'>, z.input<typeof Ours.controlRequest>>
export type Init = Fits<Theirs.SDKSystemMessage, z.input<typeof Ours.initMessage>>
export type Initialized = Fits<Theirs.SDKControlInitializeResponse, z.input<typeof Ours.initialized>>
export type Success = Fits<Theirs.SDKResultSuccess, z.input<typeof Ours.resultMessage>>
export type Failure = Fits<Theirs.SDKResultError, z.input<typeof Ours.resultMessage>>
export type State = Fits<Theirs.SDKSessionStateChangedMessage, z.input<typeof Ours.stateMessage>>
export type Status = Fits<Theirs.SDKStatusMessage, z.input<typeof Ours.statusMessage>>
export type TaskStarted = Fits<Theirs.SDKTaskStartedMessage, z.input<typeof Ours.taskStarted>>
export type TaskProgress = Fits<Theirs.SDKTaskProgressMessage, z.input<typeof Ours.taskProgress>>
export type TaskUpdated = Fits<Theirs.SDKTaskUpdatedMessage, z.input<typeof Ours.taskUpdated>>
export type TaskOver = Fits<Theirs.SDKTaskNotificationMessage, z.input<typeof Ours.taskNotification>>
export type Tasks = Fits<Theirs.SDKBackgroundTasksChangedMessage, z.input<typeof Ours.tasksChanged>>
export type Retry = Fits<Theirs.SDKAPIRetryMessage, z.input<typeof Ours.apiRetry>>
export type Progress = Fits<Theirs.SDKToolProgressMessage, z.input<typeof Ours.toolProgress>>
export type Commands = Fits<Theirs.SDKCommandsChangedMessage, z.input<typeof Ours.commandsChanged>>
export type Information = Fits<Theirs.SDKInformationalMessage, z.input<typeof Ours.informational>>
export type Rules = Fits<Theirs.SDKControlListPermissionRulesResponse, z.input<typeof Ours.permissionRules>>
export type Context = Fits<Theirs.SDKControlGetContextUsageResponse, z.input<typeof Ours.contextUsage>>
export type Usage = Fits<Theirs.SDKControlGetUsageResponse, z.input<typeof Ours.sessionUsage>>
`

const options = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--exactOptionalPropertyTypes', '--module', 'esnext'],
  ...[
    '--moduleResolution',
    'bundler',
    '--target',
    'es2023',
    '--lib',
    'es2023',
    '--ignoreConfig',
    '--types',
    'node',
  ],
]

test('every message has the shape that the vendor publishes', async ({ skip }) => {
  if (!(await fetchTypes())) skip('The npm registry did not give the published types.')
  const file = join(home, 'check.ts')
  const compile = async (text: string) => {
    await writeFile(file, text)
    return run(process.execPath, [
      join(repository, 'node_modules', 'typescript', 'lib', 'tsc.js'),
      ...options,
      file,
    ]).then(
      () => '',
      (error: unknown) => String((error as { stdout?: string }).stdout),
    )
  }
  expect(await compile(check)).toBe('')
  // The check can fail.
  const wrong = check.replace("Asked<'can_use_tool'>", "Omit<Asked<'can_use_tool'>, 'input'>")
  expect(await compile(wrong)).toContain('check.ts')
})
