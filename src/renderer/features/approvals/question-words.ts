import { type Question, kindWords } from '../../../shared/approval/approval'
import { revealed } from '../../ui/labels/revealed-text'

/** What it is called: the agent's tool, else what it asks in a few words. */
export function approvalName({ tool, title }: Question): string {
  return revealed(tool ?? title)
}

/** What an agent wants, as a heading. */
export function approvalTitle({ requester, kind }: Question): string {
  return `${revealed(requester.agent)} wants to ${kindWords[kind]}`
}
