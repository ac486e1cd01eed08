import { ask } from '../host/calls'
import { wantedFile } from '../tabs/wanted-file'

/** Opens the person's settings as JSON in an editor, which takes the focus. */
export async function openSettingsFile(): Promise<void> {
  const opened = await ask('settings.openFile', {})
  if (opened) wantedFile.make(opened.path)
}
