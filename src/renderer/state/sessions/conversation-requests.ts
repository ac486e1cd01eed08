import { createStore } from 'zustand/vanilla'
import { FocusRequest } from '../tabs/focus-request'

/** Whether the dialog "New conversation" is open. */
export const newConversation = createStore<{ open: boolean }>()(() => ({ open: false }))

/** The conversation whose field is to have the focus once it is shown. */
export const wantedConversation = new FocusRequest<string>()
