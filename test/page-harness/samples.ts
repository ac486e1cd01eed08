const thermostat = `import { Emitter } from '../events'
import type { Reading, Sensor } from './sensor'

/** How warm a room shall be, in degrees Celsius. */
export interface Setpoint {
  readonly low: number
  readonly high: number
}

const hysteresis = 0.5

/**
 * Keeps a room between two temperatures. It listens to one sensor and switches one heater;
 * what happens in between is none of its business.
 */
export class Thermostat {
  readonly #changes = new Emitter<boolean>()
  #isHeating = false
  #setpoint: Setpoint

  constructor(sensor: Sensor, setpoint: Setpoint) {
    this.#setpoint = setpoint
    sensor.onReading((reading) => this.#hear(reading))
  }

  /** Tells whenever the heater is switched. */
  get onChange() {
    return this.#changes.on
  }

  set(setpoint: Setpoint): void {
    if (setpoint.low >= setpoint.high) throw new RangeError(\`low (\${setpoint.low}) must be below high\`)
    this.#setpoint = setpoint
  }

  #hear({ celsius, at }: Reading): void {
    const { low, high } = this.#setpoint
    if (celsius < low - hysteresis) this.#switch(true)
    else if (celsius > high + hysteresis) this.#switch(false)
    // Between the two nothing changes, so that the heater is not switched all the time.
    console.debug(at, celsius, this.#isHeating)
  }

  #switch(on: boolean): void {
    if (this.#isHeating === on) return
    this.#isHeating = on
    this.#changes.emit(on)
  }
}
`

/** Files of a made-up project: usual ones, and names that are hard to show. */
export function sampleFiles(root: string): [string, string][] {
  const files: Record<string, string> = {
    'README.md':
      '# Green house\n\nA small program that keeps plants *warm*.\n\n- `npm start`\n- `npm test`\n',
    'package.json': '{\n  "name": "green-house",\n  "version": "1.2.0",\n  "type": "module"\n}\n',
    '.gitignore': 'node_modules\n',
    'src/app.ts':
      "import { Thermostat } from './climate/thermostat'\n\nconst rooms = 3\nfor (let i = 0; i < rooms; i++) {\n  console.log(i)\n}\n",
    'src/events.ts': 'export class Emitter<T> {}\n',
    'src/climate/thermostat.ts': thermostat,
    'src/climate/sensor.ts': 'export interface Sensor {}\nexport interface Reading {}\n',
    'src/climate/humidity.py':
      'def humid(value: float) -> bool:\n    """Too humid for orchids."""\n    return value > 0.8\n',
    'docs/mixed-line-ends.txt': 'one\r\ntwo\nthree\r\n',
    'docs/picture.png': '',
    'docs/latest.log': 'all well\n',
    'docs/locked/secret': '',
    'docs/blank/.empty': '',
    'names/a name that is long, much longer than the side bar could ever show without cutting it.test.ts': '',
    'names/ملف عربي.txt': 'نص\n',
    'names/line\nbreak.txt': '',
    'names/‮reversed.txt': '',
  }
  for (let index = 0; index < 1200; index++) {
    files[`many/file-${String(index).padStart(4, '0')}.txt`] = `${index}\n`
  }
  return Object.entries(files).map(([path, text]) => [`${root}/${path}`, text])
}

/** A change an agent could propose. */
export function sampleProposal(text: string): string {
  return text
    .replace(
      'const hysteresis = 0.5',
      '/** Degrees on both sides in which nothing is switched. */\nconst hysteresis = 0.3',
    )
    .replace('    console.debug(at, celsius, this.#isHeating)\n', '')
    .replace('const rooms = 3', "const rooms = Number(process.env['ROOMS'] ?? 3)")
}
