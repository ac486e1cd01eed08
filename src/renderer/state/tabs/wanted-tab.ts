import type { Tab } from '../../../shared/contract/tabs'
import { FocusRequest } from './focus-request'

/** Which tab should take the focus as soon as it is shown; the side that shows it takes the request. */
export const wantedTab = new FocusRequest<(tab: Tab) => boolean>()
