import { CopyButton } from './copy-button'
import './typed-command.css'

/** A command for the person to type elsewhere, with a button that copies it. */
export function TypedCommand({ text }: { text: string }) {
  return (
    <div className="typed-command mono">
      <bdi className="selectable">{text}</bdi>
      <CopyButton label="Copy the command" text={() => text} />
    </div>
  )
}
