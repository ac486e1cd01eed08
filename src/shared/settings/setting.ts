/**
 * What a setting is, as plain data: the form, the schemas (`contract/settings.ts`) and the page's defaults are made
 * from it. No zod here, since the page reads it.
 */

/** What every setting has. */
export interface About {
  /** Sentence case, as the form's label. */
  title: string
  /** Says what it does. */
  sentence: string
  /** `folder`: the window's first folder may have a value of its own. `person`: one value for all windows. */
  scope: 'person' | 'folder'
}

/** On or off. */
export interface Switch extends About {
  kind: 'switch'
  default: boolean
}

/** One of some values. */
export interface Choice<T extends string> extends About {
  kind: 'choice'
  default: NoInfer<T>
  /** Each value with its words. */
  options: readonly (readonly [value: T, words: string])[]
}

/** A number between two bounds. */
export interface Amount extends About {
  kind: 'number'
  default: number
  min: number
  max: number
  /** 1 means whole numbers only. */
  step: number
  /** Shown after the field: "px". */
  unit?: string
}

/** A line of text. */
export interface Words extends About {
  kind: 'text'
  default: string
  /** Characters. */
  longest: number
  /** What applies while it is empty; shown in the field. */
  placeholder: string
}

/** Lines of text. */
export interface WordList extends About {
  kind: 'list'
  default: readonly string[]
  /** Entries. */
  most: number
  /** Characters of an entry. */
  longest: number
  /** What an entry is, for the button "Add PATTERN". */
  entry: string
}

/** A value with its own shape: its schema is in `contract/settings.ts`, and the form links to the JSON. */
export interface Other<T> extends About {
  kind: 'other'
  default: T
  /** A list to which a folder's own adds, instead of taking its place. */
  joins?: true
}

export type Setting = Switch | Choice<string> | Amount | Words | WordList | Other<unknown>

/** The values that a setting can have. */
export type ValueOf<S> = S extends { kind: 'choice'; options: readonly (readonly [infer T, string])[] }
  ? T
  : S extends { kind: 'list' }
    ? string[]
    : S extends { kind: 'switch' }
      ? boolean
      : S extends { kind: 'number' }
        ? number
        : S extends { kind: 'text' }
          ? string
          : S extends { kind: 'other'; default: infer T }
            ? T
            : never

export function onOff(of: Omit<Switch, 'kind'>): Switch {
  return { kind: 'switch', ...of }
}

export function choice<const T extends string>(of: Omit<Choice<T>, 'kind'>): Choice<T> {
  return { kind: 'choice', ...of }
}

export function amount(of: Omit<Amount, 'kind'>): Amount {
  return { kind: 'number', ...of }
}

/** A line of text; '' means that nothing is set. */
export function words(of: Omit<Words, 'kind'>): Words {
  return { kind: 'text', ...of }
}

export function wordList(of: Omit<WordList, 'kind'>): WordList {
  return { kind: 'list', ...of }
}

/** `first` is the default. */
export function other<T>(first: T, of: Omit<Other<T>, 'kind' | 'default'>): Other<T> {
  return { kind: 'other', default: first, ...of }
}
