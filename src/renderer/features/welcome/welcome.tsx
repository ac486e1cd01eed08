import { Footprints, FolderOpen, MessageSquarePlus, Sprout } from 'lucide-react'
import { nameOfPath } from '../../../shared/text/path-name'
import { runCommand, useKeyOf } from '../../commands/registry'
import { startTour } from '../../state/window/tour-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { chooseFolder, openFolder } from '../../state/window/window-actions'
import { Button } from '../../ui/controls/button'
import { shorten } from '../../ui/wording/home-path'
import { Kbd } from '../../ui/controls/kbd'
import { plainName } from '../../ui/wording/plain-name'
import { InstalledPrograms } from './installed-programs'
import './welcome.css'

/** The first page: open a folder, take the tour, see which programs are installed. */
export function Welcome() {
  const facts = useWindow()
  const palette = useKeyOf('palette.show')
  return (
    <div className="welcome">
      <div className="welcome-page column">
        <header className="welcome-head">
          <Sprout aria-hidden="true" strokeWidth={1.5} />
          <h1>Greenlight</h1>
          <p>Approve every change before it’s written.</p>
        </header>
        <div className="welcome-actions row">
          <Button variant="primary" icon={<FolderOpen />} onClick={() => void chooseFolder()}>
            Open a folder …
          </Button>
          {facts && facts.folders.length > 0 ? (
            <Button icon={<MessageSquarePlus />} onClick={() => runCommand('conversation.new')}>
              New conversation
            </Button>
          ) : null}
          <Button icon={<Footprints />} onClick={startTour}>
            Take the tour
          </Button>
          <span className="welcome-hint">
            Three steps with a sample file; no agent needed.
            {palette ? (
              <>
                {' '}
                All commands: <Kbd keys={palette} />
              </>
            ) : null}
          </span>
        </div>
        {facts && facts.recentFolders.length > 0 ? (
          <section aria-label="Recent folders">
            <h2 className="aside">Recent folders</h2>
            <ul className="welcome-recent">
              {facts.recentFolders.map((path) => (
                <li key={path}>
                  <button type="button" onClick={() => void openFolder(path)}>
                    <span className="name">{plainName(nameOfPath(path) || path)}</span>
                    <span className="name aside">{plainName(shorten(path, facts.homeDirectory))}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <InstalledPrograms home={facts?.homeDirectory ?? ''} />
      </div>
    </div>
  )
}
