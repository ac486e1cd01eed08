import { open, writeFile } from 'node:fs/promises'
import { endProcess } from '../src/main/core/platform/process-end'

/**
 * A program for a test: waits for a pipe as Node does, and ends as the app does. Named a second file, it writes that
 * and ends in the middle of the writing.
 */
const [, , pipe, written] = process.argv
if (pipe) void open(pipe, 'r').catch(() => undefined)
if (written) void writeFile(written, Buffer.alloc(64 * 1024, 'x'))
setImmediate(() => endProcess(() => process.exit(7)))
