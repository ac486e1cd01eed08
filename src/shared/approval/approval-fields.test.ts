import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Field,
  type FieldValues,
  initialValues,
  problemOfFields,
  validateFields,
} from './approval-fields'

const any = { help: null, required: true }
const name: Field = {
  ...any,
  id: 'name',
  label: 'Name',
  kind: 'text',
  lines: 'one',
  format: 'text',
  shortest: 2,
  longest: 5,
  initial: null,
}
const choices = ['a', 'b', 'c'].map((value) => ({ value, label: value, help: null }))
const one: Field = {
  ...any,
  id: 'one',
  label: 'One',
  kind: 'choice',
  choices,
  allowsOther: false,
  initial: null,
}
const some: Field = {
  ...any,
  id: 'some',
  label: 'Some',
  kind: 'choices',
  choices,
  allowsOther: false,
  fewest: null,
  most: 2,
  initial: [],
}
const sure: Field = { ...any, id: 'sure', label: 'Sure', kind: 'boolean', initial: false }
const form = [name, one, some, sure]
const filled: FieldValues = { name: 'abc', one: 'a', some: ['a', 'b'], sure: true }

const problemWith = (field: Field, value: FieldValues[string]) =>
  validateFields([field], { [field.id]: value })[field.id]

describe('a form', () => {
  test('is in order when it is filled in, and says of each field what is wrong', () => {
    expect(validateFields(form, filled)).toEqual({})
    expect(validateFields(form, {})).toEqual({
      name: 'Fill this in.',
      one: 'Choose one.',
      some: 'Choose at least one.',
    })
    expect(validateFields(form, { ...filled, more: 'x' })).toEqual({ more: 'There is no such field.' })
  })

  test('counts characters as a person does', () => {
    expect(problemWith(name, '😀😀😀😀😀')).toBeUndefined()
    expect(problemWith(name, 'abcdef')).toBe('Write at most 5 characters.')
    expect(problemWith(name, 'a')).toBe('Write at least 2 characters.')
    expect(problemWith(name, 'a\nb')).toBe('Write one line.')
    expect(problemWith(name, '   ')).toBe('Fill this in.')
  })

  test('takes numbers and addresses where they are asked for', () => {
    const as = (format: 'number' | 'integer' | 'email' | 'address') =>
      ({ ...name, format, shortest: null, longest: null }) as Field
    for (const [format, good, bad] of [
      ['number', '-1.5e3', '1,5'],
      ['integer', '42', '4.2'],
      ['email', 'a@b.c', 'a b@c'],
      ['address', 'https://a.b/c', 'a.b/c'],
    ] as const) {
      expect(problemWith(as(format), good)).toBeUndefined()
      expect(problemWith(as(format), bad)).toBeDefined()
    }
  })

  test('takes no number beyond its bounds', () => {
    const size = { ...name, format: 'number', shortest: null, longest: null, least: 1, most: 5 } as Field
    expect(['1', '5', ' 2.5 '].map((value) => problemWith(size, value))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(problemWith(size, '0.9')).toBe('Write 1 or more.')
    expect(problemWith(size, '5.1')).toBe('Write 5 or less.')
    expect(problemWith({ ...size, least: null, most: null } as Field, '1e999')).toBe(
      'Write a smaller number.',
    )
    expect(problemWith({ ...size, format: 'integer' } as Field, '6')).toBe('Write 5 or less.')
  })

  test('takes nothing that was not offered, unless other words are', () => {
    expect(problemWith(one, 'd')).toBe('Choose from the list.')
    expect(problemWith({ ...one, allowsOther: true }, 'd')).toBeUndefined()
    expect(problemWith(some, ['a', 'a'])).toBe('Choose each only once.')
    expect(problemWith(some, ['a', 'b', 'c'])).toBe('Choose at most 2.')
    expect(problemWith(some, ['d'])).toBe('Choose from the list.')
    expect(problemWith({ ...some, fewest: 2 }, ['a'])).toBe('Choose at least 2.')
  })

  test('never throws, whatever stands in it, and optional fields may be left out', () => {
    const value = fc.oneof(fc.string(), fc.boolean(), fc.array(fc.string()))
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('name', 'one', 'some', 'sure', '__proto__'), value),
        (values) => {
          const problems = validateFields(form, values)
          expect(Object.values(problems).every((sentence) => sentence.endsWith('.'))).toBe(true)
        },
      ),
    )
    const optional = form.map((field) => ({ ...field, required: false }))
    expect(validateFields(optional, {})).toEqual({})
    expect(validateFields(optional, initialValues(optional))).toEqual({})
  })
})

test('fields that cannot be told apart are no form', () => {
  expect(problemOfFields(form)).toBeNull()
  expect(problemOfFields([name, name])).toBe('Two fields have the same id.')
  expect(problemOfFields([{ ...one, choices: [...choices, ...choices] }])).toMatch(/same value/)
})
