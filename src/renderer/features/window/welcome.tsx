import { FolderOpen } from 'lucide-react'
import type { WindowState } from '../../../shared/contract/window'
import { ask } from '../../state/calls'
import { chooseFolder } from '../../state/window-actions'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { plainName } from '../../ui/plain-name'
import './folder-dialog.css'

/** A window without a folder: the way to one, and the folders of late. */
export function Welcome({ facts }: { facts: WindowState }) {
  return (
    <main className="frame-welcome">
      <EmptyState
        icon={<FolderOpen />}
        title="Open a folder"
        action={
          <>
            <Button variant="primary" onClick={() => void chooseFolder()}>
              Open a folder …
            </Button>
            {facts.recentFolders.length === 0 ? null : <RecentFolders facts={facts} />}
          </>
        }
      >
        Run an agent in it, and give or refuse the green light to every change before it is written.
      </EmptyState>
    </main>
  )
}

function RecentFolders({ facts }: { facts: WindowState }) {
  return (
    <section className="welcome-recent" aria-label="Recent folders">
      <h3>Recent</h3>
      <ul>
        {facts.recentFolders.map((path) => (
          <li key={path}>
            <button type="button" onClick={() => void ask('window.openFolder', { path })}>
              <span className="name">{plainName(path.split(/[\\/]/).at(-1) || path)}</span>
              <span className="name welcome-folder">{plainName(shorten(path, facts.homeDirectory))}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A path with the home directory as ~. */
export function shorten(path: string, home: string): string {
  const separator = path[home.length]
  const isInside = path.startsWith(home) && (separator === '/' || separator === '\\' || path === home)
  return isInside ? `~${path.slice(home.length)}` : path
}
