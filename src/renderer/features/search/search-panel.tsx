import { CaseSensitive, Ellipsis, RefreshCw, Regex, Replace, Search, WholeWord, X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import type { SearchQuery, SearchState } from '../../../shared/contract/search'
import { useKeyOf } from '../../commands/registry'
import { ask, send } from '../../state/host/calls'
import { tell } from '../../state/window/notices-mirror'
import { type SearchForm, searchForm, useSearch } from '../../state/files/search-mirror'
import { Button } from '../../ui/controls/button'
import { EmptyState } from '../../ui/layout/empty-state'
import { IconButton } from '../../ui/controls/icon-button'
import { announce } from '../../ui/browser/live-region'
import { countOf } from '../../ui/wording/number-format'
import { PaneHeader } from '../../ui/layout/pane-header'
import { Toggle, ToggleButton } from '../../ui/controls/toggle'
import { SearchResults } from './search-results'
import { searchOutcome, skippedWords } from './search-words'
import '../../ui/layout/list-row.css'
import './search-panel.css'

/** How long the fields rest before a search starts, in milliseconds. */
const pause = 250

/** Search and replace in the window's folders. */
export function SearchPanel() {
  const form = useStore(searchForm)
  const state = useSearch()
  const [takenOut, setTakenOut] = useState<ReadonlySet<number>>(new Set())
  const run = state?.run ?? 0
  useEffect(() => setTakenOut(new Set()), [run])
  useSearchAsTyped(form, state)
  useOutcomeSaid(state)
  return (
    <section className="fills" aria-label="Search">
      <PaneHeader title="Search">
        <IconButton
          label={form.isReplacing ? 'Search only' : 'Replace too'}
          icon={<Replace />}
          keys={useKeyOf('search.replace')}
          aria-pressed={form.isReplacing}
          onClick={() => searchForm.setState({ isReplacing: !form.isReplacing })}
        />
        <IconButton
          label="Which files"
          icon={<Ellipsis />}
          aria-pressed={form.hasScope}
          onClick={() => searchForm.setState({ hasScope: !form.hasScope })}
        />
      </PaneHeader>
      <Fields form={form} />
      {state === null || state.query === null || form.text === '' ? (
        <EmptyState icon={<Search />} title="Search in all files">
          Skips ignored files. Includes unsaved text of open files.
        </EmptyState>
      ) : (
        <Outcome state={state} form={form} takenOut={takenOut} onTakeOut={setTakenOut} />
      )}
    </section>
  )
}

function Fields({ form }: { form: SearchForm }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (form.wanted === 0) return
    // The side bar may become visible only with this change.
    const frame = requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.select()
    })
    return () => cancelAnimationFrame(frame)
  }, [form.wanted])
  const set = (part: Partial<SearchForm>) => searchForm.setState(part)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    startSearch(searchForm.getState())
    event.preventDefault()
  }
  return (
    <div className="search-fields column">
      <div className="search-line">
        <TextField
          ref={field}
          label="Search text"
          placeholder="Search"
          value={form.text}
          onChange={(text) => set({ text })}
          onKeyDown={onKeyDown}
        />
        <span className="search-switches">
          <ToggleButton
            label="Match case"
            icon={<CaseSensitive />}
            pressed={form.isCaseSensitive}
            onPressedChange={(isCaseSensitive) => set({ isCaseSensitive })}
          />
          <ToggleButton
            label="Whole words"
            icon={<WholeWord />}
            pressed={form.isWholeWord}
            onPressedChange={(isWholeWord) => set({ isWholeWord })}
          />
          <ToggleButton
            label="Regular expression"
            icon={<Regex />}
            pressed={form.isRegex}
            onPressedChange={(isRegex) => set({ isRegex })}
          />
        </span>
      </div>
      {form.isReplacing ? (
        <TextField
          label="Replacement"
          placeholder={form.isRegex ? 'Replace with ($1 for a group)' : 'Replace with'}
          value={form.replacement}
          onChange={(replacement) => set({ replacement })}
        />
      ) : null}
      {form.hasScope ? (
        <>
          <TextField
            label="Files to include"
            placeholder="Include, such as src, *.ts"
            value={form.include}
            onChange={(include) => set({ include })}
            onKeyDown={onKeyDown}
          />
          <TextField
            label="Files to exclude"
            placeholder="Exclude, such as test, *.snap"
            value={form.exclude}
            onChange={(exclude) => set({ exclude })}
            onKeyDown={onKeyDown}
          />
          <Toggle
            label="Include ignored files"
            checked={form.withIgnored}
            onCheckedChange={(withIgnored) => set({ withIgnored })}
          />
        </>
      ) : null}
    </div>
  )
}

function TextField({
  label,
  onChange,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange'> & { label: string; onChange: (text: string) => void }) {
  return (
    <input
      className="field search-field"
      aria-label={label}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  )
}

function Outcome({
  state,
  form,
  takenOut,
  onTakeOut,
}: {
  state: SearchState
  form: SearchForm
  takenOut: ReadonlySet<number>
  onTakeOut: (ids: ReadonlySet<number>) => void
}) {
  const isRunning = state.phase === 'running'
  const skipped = skippedWords(state.skipped)
  return (
    <>
      <div className={`search-outcome row aside ${state.phase === 'failed' ? 'search-failed' : ''}`}>
        <p className="number">{searchOutcome(state)}</p>
        {isRunning ? (
          <IconButton label="Cancel search" icon={<X />} onClick={() => send('search.cancel', {})} />
        ) : (
          <IconButton
            label="Search again"
            icon={<RefreshCw />}
            onClick={() => startSearch(searchForm.getState())}
          />
        )}
      </div>
      {isRunning ? <div className="search-progress" aria-hidden="true" /> : null}
      {state.isCut ? (
        <p className="search-fact aside">Only the first results are shown. Narrow your search.</p>
      ) : null}
      {skipped === '' ? null : <p className="search-fact aside">{skipped}</p>}
      {form.isReplacing && state.hits > 0 ? (
        <ReplaceAll state={state} replacement={form.replacement} takenOut={takenOut} />
      ) : null}
      <SearchResults
        state={state}
        replacement={form.isReplacing ? form.replacement : null}
        takenOut={takenOut}
        onTakeOut={onTakeOut}
      />
    </>
  )
}

function ReplaceAll({
  state,
  replacement,
  takenOut,
}: {
  state: SearchState
  replacement: string
  takenOut: ReadonlySet<number>
}) {
  const [isBusy, setBusy] = useState(false)
  const files = state.files.filter(({ hits }) => hits.some(({ id }) => !takenOut.has(id)))
  const replace = async () => {
    setBusy(true)
    const done = await ask('search.replace', {
      run: state.run,
      replacement,
      files: files.map(({ path }) => path),
      leftOut: [...takenOut],
    })
    setBusy(false)
    if (!done) return
    announce(`${countOf(done.proposed, 'file')} to review`)
    for (const sentence of done.told) tell('warning', sentence)
  }
  return (
    <div className="search-replace column">
      <Button
        disabled={isBusy || state.phase === 'running' || files.length === 0}
        onClick={() => void replace()}
      >
        {isBusy ? 'Preparing …' : `Review ${countOf(files.length, 'changed file')}`}
      </Button>
      <p className="search-fact aside">Nothing is written until you accept it.</p>
    </div>
  )
}

function queryOf(form: SearchForm): SearchQuery {
  const { text, isRegex, isCaseSensitive, isWholeWord, hasScope } = form
  const { include, exclude, withIgnored } = hasScope ? form : { include: '', exclude: '', withIgnored: false }
  return { text, isRegex, isCaseSensitive, isWholeWord, include, exclude, withIgnored }
}

function startSearch(form: SearchForm): void {
  if (form.text === '') send('search.cancel', {})
  else send('search.start', queryOf(form))
}

/** Searches once the fields rest, unless the host has already searched for just that. */
function useSearchAsTyped(form: SearchForm, state: SearchState | null): void {
  const wanted = JSON.stringify(queryOf(form))
  const known = state?.query ? JSON.stringify(queryOf({ ...form, ...state.query, hasScope: true })) : ''
  const isHere = state !== null
  // Emptying the fields cancels a search, so that the host may not have searched for what it last was asked for.
  const isEmptied = useRef(form.text === '')
  // Typing starts a search; a change of the host's state does not.
  const isNew = useEffectEvent(
    () => (wanted !== known || isEmptied.current) && (form.text !== '' || known !== ''),
  )
  useEffect(() => {
    if (!isHere || !isNew()) return
    const timer = setTimeout(() => {
      const now = searchForm.getState()
      isEmptied.current = now.text === ''
      startSearch(now)
    }, pause)
    return () => clearTimeout(timer)
  }, [wanted, isHere])
}

/** Announces the end of a search. */
function useOutcomeSaid(state: SearchState | null): void {
  const phase = state?.phase
  const before = useRef(phase)
  const tell = useEffectEvent(() => state && announce(searchOutcome(state)))
  useEffect(() => {
    if (before.current === 'running' && phase !== 'running') tell()
    before.current = phase
  }, [phase])
}
