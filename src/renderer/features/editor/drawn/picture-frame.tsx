import { ImageOff, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { EmptyState } from '../../../ui/layout/empty-state'
import { IconButton } from '../../../ui/controls/icon-button'
import { formatNumber } from '../../../ui/wording/number-format'
import { ToggleButton } from '../../../ui/controls/toggle'
import './picture-frame.css'

/** The zoom's step and bounds. */
const step = 1.25
const [least, most] = [0.05, 32]

/**
 * A picture from a blob, as an image element and never as markup, so that an SVG can run and fetch nothing. It fits at
 * first; buttons, + and -, and Ctrl with the wheel zoom.
 */
export function PictureFrame({ blob, name, facts }: { blob: Blob; name: string; facts: string }) {
  const [url, setUrl] = useState<string | null>(null)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [zoom, setZoom] = useState<number | 'fit'>('fit')
  const [isBroken, setBroken] = useState(false)
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    setBroken(false)
    return () => URL.revokeObjectURL(made)
  }, [blob])

  const now = () => {
    if (zoom !== 'fit') return zoom
    return size && image.current ? image.current.clientWidth / Math.max(1, size.width) : 1
  }
  const zoomTo = (value: number) => setZoom(Math.max(least, Math.min(most, value)))
  if (isBroken) {
    return (
      <EmptyState icon={<ImageOff />} title="This picture can’t be shown">
        The file is damaged or has the wrong extension.
      </EmptyState>
    )
  }
  const words = size ? `${formatNumber(size.width)} × ${formatNumber(size.height)}` : ''
  return (
    <div className="fills">
      <div className="picture-bar row" role="toolbar" aria-label="Picture">
        <IconButton size="large" label="Smaller" icon={<ZoomOut />} onClick={() => zoomTo(now() / step)} />
        <IconButton size="large" label="Larger" icon={<ZoomIn />} onClick={() => zoomTo(now() * step)} />
        <ToggleButton
          size="large"
          label="Fit"
          icon={<Maximize />}
          pressed={zoom === 'fit'}
          onPressedChange={(fit) => setZoom(fit ? 'fit' : 1)}
        />
        <span className="picture-facts number">
          {[words, facts, zoom === 'fit' ? 'fitted' : `${Math.round(zoom * 100)} %`]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <div
        className="picture-place scrolls"
        tabIndex={0}
        role="group"
        aria-label={`Picture: ${name}`}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return
          if (event.key === '+' || event.key === '=') zoomTo(now() * step)
          else if (event.key === '-') zoomTo(now() / step)
          else if (event.key === '0') setZoom('fit')
          else if (event.key === '1') setZoom(1)
          else return
          event.preventDefault()
        }}
        onWheel={(event) => {
          if (event.ctrlKey) zoomTo(now() * (event.deltaY < 0 ? step : 1 / step))
        }}
      >
        {url === null ? null : (
          <img
            ref={image}
            src={url}
            alt={name}
            draggable={false}
            className={zoom === 'fit' ? 'picture-fit' : ''}
            style={zoom === 'fit' || !size ? undefined : { width: size.width * zoom }}
            onLoad={(event) => {
              const { naturalWidth: width, naturalHeight: height } = event.currentTarget
              setSize({ width, height })
            }}
            onError={() => setBroken(true)}
          />
        )}
      </div>
    </div>
  )
}
