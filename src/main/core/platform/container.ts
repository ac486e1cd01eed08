import { existsSync } from 'node:fs'

/** Whether this runs in a container, by the marks that Docker and Podman leave. */
export function runsInContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}
