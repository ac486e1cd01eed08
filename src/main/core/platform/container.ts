import { existsSync } from 'node:fs'

/** Whether this runs in a container, judging by the files that Docker and Podman leave. */
export function runsInContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}
