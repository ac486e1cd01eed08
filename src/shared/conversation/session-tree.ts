/** One line of a session, as far as its place in the tree goes. */
export interface TreeLine {
  offset: number
  /** Null where it has none: nothing can follow it. */
  uuid: string | null
  /** The line that it follows; null where it begins a conversation, undefined where it does not say. */
  parent: string | null | undefined
  /** What it is shown in, with others of the same key; null for a line that is only passed through. */
  key: string | null
  /** Said by the person or the model, and not merely noticed: a conversation forks only into what is said. */
  isTalk: boolean
  /** The person's word, which begins a turn. */
  isPrompt: boolean
}

/** What is shown as one: a line, or the lines of one message. */
export interface Unit<L extends TreeLine> {
  readonly key: string
  /** In order; never empty. */
  readonly lines: L[]
  /** The line at which it begins. */
  first: L
  parent: Unit<L> | null
  /** In no order. */
  readonly children: Unit<L>[]
  /** Its place in the thread; -1 where it is not in it. */
  position: number
  /** Something is said here or further on. */
  hasTalk: boolean
  /** The greatest offset of anything said here or further on. */
  latest: number
  /** The way on that the thread takes. */
  next: Unit<L> | null
  /** The first units of all ways, this one's among them, the oldest first; null where there is only this one. */
  ways: readonly Unit<L>[] | null
}

/**
 * The tree of a session's lines, and the one thread through it that is shown: all roots in their order, and at each
 * fork the way that was chosen, else the one with the newest word. It is a function of the set of lines, in whatever
 * order they came. A line follows only what stands before it; what follows a line that is not there is a root.
 * Lines at the end, and pages in front of all others, are added in the time that they take; after others the thread
 * is found anew, in one pass.
 */
export class SessionTree<L extends TreeLine> {
  readonly #lines = new Map<string, L>()
  readonly #unitOf = new Map<L, Unit<L>>()
  readonly #units = new Map<string, Unit<L>>()
  /** All units, in the order of their offsets unless `#isSorted` says otherwise. */
  #ordered: Unit<L>[] = []
  #isSorted = true
  /** Units whose way up ends at a line that is not there (yet). */
  readonly #waiting = new Map<string, Unit<L>[]>()
  readonly #chosen: Map<string, string>
  readonly #rootsFork: boolean
  #beginnings = 0
  #thread: Unit<L>[] = []
  #isFound = true
  #finds = 0

  /**
   * `rootsFork`: several prompts without anything before them are ways to begin one conversation, and not conversations
   * one after another. `choices` are those of another tree.
   */
  constructor(rootsFork = true, choices: ReadonlyMap<string, string> = new Map()) {
    this.#rootsFork = rootsFork
    this.#chosen = new Map(choices)
  }

  /** Which way is taken at a fork, by the keys of its unit (empty: before the beginning) and of the way's first one. */
  get choices(): ReadonlyMap<string, string> {
    return this.#chosen
  }

  /** Lines that are not there yet, each once. Gives the units that they came into. */
  add(lines: readonly L[]): Set<Unit<L>> {
    const touched = new Set<Unit<L>>()
    const come: Unit<L>[] = []
    const moved = new Set<Unit<L>>()
    for (const line of lines) {
      if (line.uuid !== null) this.#lines.set(line.uuid, line)
      if (line.key === null) continue
      const known = this.#units.get(line.key)
      const unit = known ?? newUnit(line.key, line)
      touched.add(unit)
      this.#unitOf.set(line, unit)
      if (!known) {
        this.#units.set(line.key, unit)
        come.push(unit)
      } else if (insertLine(unit, line)) moved.add(unit)
    }
    for (const { uuid } of lines) {
      if (uuid === null) continue
      for (const unit of this.#waiting.get(uuid) ?? []) moved.add(unit)
      this.#waiting.delete(uuid)
    }
    come.sort(byOffset)
    for (const unit of come) this.#link(unit)
    for (const unit of moved) this.#relink(unit)
    const place = this.#placeOf(come, moved)
    if (place === 'front') {
      this.#ordered = come.concat(this.#ordered)
      this.#findFront(come)
      for (const unit of moved) if (unit.ways) touched.add(unit)
      return touched
    }
    for (const unit of come) this.#ordered.push(unit)
    if (place === 'end') for (const unit of come) this.#extend(unit)
    else {
      this.#isSorted = false
      this.#isFound = false
    }
    return touched
  }

  /**
   * Where units came: behind all others; in front of all, where they lead to the thread as it is and to nothing else;
   * or elsewhere. `moved` are others whose way up is another one now.
   */
  #placeOf(come: readonly Unit<L>[], moved: ReadonlySet<Unit<L>>): 'end' | 'front' | 'between' {
    const last = this.#ordered.at(-1)
    const [begin] = this.#ordered
    const [first] = come
    if (moved.size === 0 && (!last || !first || last.first.offset < first.first.offset)) return 'end'
    if (!begin || !this.#isSorted || !this.#isFound || this.#chosen.size > 0 || this.#beginnings > 1)
      return 'between'
    if ((come.at(-1)?.first.offset ?? -1) > begin.first.offset || begin.position !== 0) return 'between'
    return moved.size === 0 || (moved.size === 1 && moved.has(begin) && begin.hasTalk) ? 'front' : 'between'
  }

  /** The thread. The same array as before where units only came at its end. */
  get thread(): readonly Unit<L>[] {
    if (!this.#isFound) this.#find()
    return this.#thread
  }

  /** How often the thread was computed from scratch; in between, units were only added before or after it. */
  get finds(): number {
    return this.#finds
  }

  /** The unit that a line with this id is shown in; null where it is not there, or not shown. */
  unitWith(uuid: string): Unit<L> | null {
    const line = this.#lines.get(uuid)
    return line ? (this.#unitOf.get(line) ?? null) : null
  }

  unit(key: string): Unit<L> | null {
    return this.#units.get(key) ?? null
  }

  /** Takes, at each fork above it, the way to a unit. */
  choose(key: string): void {
    let unit = this.#units.get(key)
    if (!unit) return
    for (; unit; unit = unit.parent ?? undefined) this.#chosen.set(unit.parent?.key ?? '', unit.key)
    this.#isFound = false
  }

  #relink(unit: Unit<L>): void {
    const siblings = unit.parent?.children
    if (siblings) siblings.splice(siblings.indexOf(unit), 1)
    else if (this.#isBeginning(unit)) this.#beginnings -= 1
    unit.parent = null
    this.#link(unit)
  }

  /** Finds what a unit follows: up through lines that are not shown and those of its own. */
  #link(unit: Unit<L>): void {
    let line: L = unit.first
    for (;;) {
      const { parent } = line
      if (parent === null || parent === undefined) break
      const above = this.#lines.get(parent)
      if (!above) {
        const waiting = this.#waiting.get(parent)
        if (waiting) waiting.push(unit)
        else this.#waiting.set(parent, [unit])
        break
      }
      // What is written before cannot follow what is written after; so there are no circles either.
      if (above.offset >= line.offset) break
      const found = this.#unitOf.get(above)
      if (found && found !== unit) {
        unit.parent = found
        found.children.push(unit)
        return
      }
      line = above
    }
    if (this.#isBeginning(unit)) this.#beginnings += 1
  }

  /** Adds a unit after all others: the thread grows at its end, or must be computed from scratch. */
  #extend(unit: Unit<L>): void {
    if (!this.#isFound) return
    const { parent } = unit
    if (unit.first.isTalk) {
      if (!parent && this.#isBeginning(unit) && this.#beginnings > 1) return this.#lose()
      unit.hasTalk = true
      unit.latest = unit.first.offset
      // Past what was only noticed, to what was said before.
      const between: Unit<L>[] = []
      let above = parent
      for (; above && above.position >= 0 && !above.hasTalk; above = above.parent) between.push(above)
      if (above && (above.position < 0 || above.next)) return this.#lose()
      let below = unit
      for (const notice of between) {
        notice.hasTalk = true
        notice.next = below
        below = notice
      }
      if (above) above.next = below
    } else if (parent && parent.position < 0) return
    unit.position = this.#thread.length
    this.#thread.push(unit)
  }

  #lose(): void {
    this.#isFound = false
  }

  #sort(): void {
    if (this.#isSorted) return
    this.#ordered.sort(byOffset)
    this.#isSorted = true
  }

  /** Puts units before the thread, which stays as it is: its newest word is newer than all of theirs. */
  #findFront(come: readonly Unit<L>[]): void {
    const old = this.#thread
    const [begin] = old
    for (const unit of come) forget(unit)
    if (begin?.hasTalk) {
      begin.latest = Math.max(begin.latest, begin.first.offset)
      lift(begin)
    }
    for (const unit of come.toReversed()) lift(unit)
    const front: Unit<L>[] = []
    for (const unit of come) {
      const { parent } = unit
      this.#takeWay(unit)
      const isIn = !parent || (parent.position >= 0 && (!unit.hasTalk || parent.next === unit))
      unit.position = isIn ? front.push(unit) - 1 : -1
    }
    for (const unit of old) unit.position += front.length
    this.#thread = front.concat(old)
  }

  #find(): void {
    this.#sort()
    this.#finds++
    const units = this.#ordered
    for (const unit of units) forget(unit)
    for (let index = units.length - 1; index >= 0; index--) {
      const unit = units[index]
      if (unit) lift(unit)
    }
    const beginnings =
      this.#beginnings > 1 ? units.filter((unit) => !unit.parent && this.#isBeginning(unit)) : []
    const beginning = this.#way('', beginnings)
    const thread: Unit<L>[] = []
    for (const unit of units) {
      const { parent } = unit
      const isIn = parent
        ? parent.position >= 0 && (!unit.hasTalk || parent.next === unit)
        : beginnings.length < 2 || !this.#isBeginning(unit) || unit === beginning
      unit.position = isIn ? thread.push(unit) - 1 : -1
      this.#takeWay(unit)
    }
    this.#thread = thread
    this.#isFound = true
  }

  #takeWay(unit: Unit<L>): void {
    const { children, key } = unit
    const [only] = children
    if (children.length > 1) {
      unit.next = this.#way(
        key,
        children.filter((child) => child.hasTalk),
      )
    } else unit.next = only?.hasTalk ? only : null
  }

  /** The person's first word, which may be put in other ways: a conversation with several has forked before it. */
  #isBeginning(unit: Unit<L>): boolean {
    return this.#rootsFork && unit.first.isPrompt && unit.first.parent === null
  }

  /** The way that is taken among several, each of which then knows of the others. */
  #way(fork: string, ways: Unit<L>[]): Unit<L> | null {
    if (ways.length > 1) {
      ways.sort(byOffset)
      for (const way of ways) way.ways = ways
    }
    const wanted = this.#chosen.get(fork)
    let taken: Unit<L> | null = null
    for (const way of ways) {
      if (way.key === wanted) return way
      if (!taken || way.latest > taken.latest) taken = way
    }
    return taken
  }
}

function newUnit<L extends TreeLine>(key: string, line: L): Unit<L> {
  return {
    key,
    lines: [line],
    first: line,
    parent: null,
    children: [],
    position: -1,
    hasTalk: false,
    latest: -1,
    next: null,
    ways: null,
  }
}

function forget<L extends TreeLine>(unit: Unit<L>): void {
  unit.hasTalk = unit.first.isTalk
  unit.latest = unit.hasTalk ? unit.first.offset : -1
  unit.ways = null
  unit.next = null
}

/** Tells what a unit follows of what is said in it and further on. */
function lift<L extends TreeLine>({ hasTalk, latest, parent }: Unit<L>): void {
  if (!hasTalk || !parent) return
  parent.hasTalk = true
  parent.latest = Math.max(parent.latest, latest)
}

/** Puts a line where it belongs; gives whether it is the first one now. */
function insertLine<L extends TreeLine>(unit: Unit<L>, line: L): boolean {
  const { lines } = unit
  let at = lines.length
  while (at > 0 && (lines[at - 1]?.offset ?? 0) > line.offset) at--
  lines.splice(at, 0, line)
  if (at > 0) return false
  unit.first = line
  return true
}

function byOffset<L extends TreeLine>(a: Unit<L>, b: Unit<L>): number {
  return a.first.offset - b.first.offset
}
