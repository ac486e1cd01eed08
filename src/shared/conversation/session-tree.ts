/** What the tree needs to know about a line of a session. */
export interface TreeLine {
  offset: number
  /** Null if it has none: nothing can follow it. */
  uuid: string | null
  /** The line that it follows; null if it begins a conversation, undefined if it doesn't say. */
  parent: string | null | undefined
  /** Lines with the same key are shown as one; null for a line that isn't shown. */
  key: string | null
  /** Said by the person or the model: only this can begin a way at a fork; notices can't. */
  isTalk: boolean
  /** A prompt, which begins a turn. */
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
  /** Its place in the thread; -1 if it isn't in it. */
  position: number
  /** Something is said here or below. */
  hasTalk: boolean
  /** The greatest offset of anything said here or below. */
  latest: number
  /** The way on that the thread takes. */
  next: Unit<L> | null
  /** If this unit begins one of several ways: the first units of all of them, the oldest first. Else null. */
  ways: readonly Unit<L>[] | null
}

/**
 * The tree of a session's lines, and the one thread through it that is shown: all roots in order, and at each fork the
 * way that was chosen, else the one with the newest word. It depends only on the set of lines, not on the order in
 * which they came. A line follows only lines before it; what follows an unknown line is a root. Adding lines at the
 * end, or pages in front of all others, takes time in proportion to them; after others the thread is computed from
 * scratch, in one pass.
 */
export class SessionTree<L extends TreeLine> {
  readonly #lines = new Map<string, L>()
  readonly #unitOf = new Map<L, Unit<L>>()
  readonly #units = new Map<string, Unit<L>>()
  /** All units, in the order of their offsets unless `#isSorted` says otherwise. */
  #ordered: Unit<L>[] = []
  #isSorted = true
  /** Units whose way up ends at a line that isn't known (yet). */
  readonly #waiting = new Map<string, Unit<L>[]>()
  readonly #chosen: Map<string, string>
  readonly #rootsFork: boolean
  #beginnings = 0
  #thread: Unit<L>[] = []
  #isFound = true
  #finds = 0

  /**
   * `rootsFork`: several prompts with nothing before them are ways of one conversation, not one conversation after
   * another. `choices` are those of another tree.
   */
  constructor(rootsFork = true, choices: ReadonlyMap<string, string> = new Map()) {
    this.#rootsFork = rootsFork
    this.#chosen = new Map(choices)
  }

  /** The way chosen at each fork: the key of its first unit, by the key of the fork's unit (empty: the beginning). */
  get choices(): ReadonlyMap<string, string> {
    return this.#chosen
  }

  /** Adds lines that aren't known yet, each once. Gives the units that they belong to. */
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
   * Where new units are: after all others; in front of all, and leading only to the thread as it is; or elsewhere.
   * `moved` are other units whose way up has changed.
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

  /** The thread; the same array as before if units were only added at its end. */
  get thread(): readonly Unit<L>[] {
    if (!this.#isFound) this.#find()
    return this.#thread
  }

  /** How often the thread was computed from scratch; in between, units were only added before or after it. */
  get finds(): number {
    return this.#finds
  }

  /** The unit that shows the line with this uuid; null if it isn't known or isn't shown. */
  unitWith(uuid: string): Unit<L> | null {
    const line = this.#lines.get(uuid)
    return line ? (this.#unitOf.get(line) ?? null) : null
  }

  unit(key: string): Unit<L> | null {
    return this.#units.get(key) ?? null
  }

  /** Chooses the way to a unit at each fork above it. */
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

  /** Finds what a unit follows, up through lines that aren't shown and through its own. */
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
      // A line can't follow a later one; so there are no circles either.
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
      if (!parent && this.#isBeginning(unit) && this.#beginnings > 1) return void (this.#isFound = false)
      unit.hasTalk = true
      unit.latest = unit.first.offset
      // Past notices, to what was said before.
      const between: Unit<L>[] = []
      let above = parent
      for (; above && above.position >= 0 && !above.hasTalk; above = above.parent) between.push(above)
      if (above && (above.position < 0 || above.next)) return void (this.#isFound = false)
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

  /** Puts units before the thread, which stays as it is, since its newest word is newer than all of theirs. */
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
    if (!this.#isSorted) this.#ordered.sort(byOffset)
    this.#isSorted = true
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

  /** Whether a unit is a first prompt; several of them are a fork at the beginning. */
  #isBeginning(unit: Unit<L>): boolean {
    return this.#rootsFork && unit.first.isPrompt && unit.first.parent === null
  }

  /** Picks one of several ways, and tells each of the others. */
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

/** Tells a unit's parent what is said in the unit and below. */
function lift<L extends TreeLine>({ hasTalk, latest, parent }: Unit<L>): void {
  if (!hasTalk || !parent) return
  parent.hasTalk = true
  parent.latest = Math.max(parent.latest, latest)
}

/** Inserts a line in order; gives whether it is the first one now. */
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
