import { TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fetchBlob } from '../../../state/files/file-blob'
import { EmptyState } from '../../../ui/layout/empty-state'
import { formatSize } from '../../../ui/wording/number-format'
import { Skeleton } from '../../../ui/layout/skeleton'
import { PictureFrame } from './picture-frame'

interface ImageViewProps {
  path: string
  name: string
  size: number
  type: string
  /** Changes when the picture changes on disk. */
  stamp: string
}

export function ImageView({ path, name, size, type, stamp }: ImageViewProps) {
  const [state, setState] = useState<{ blob: Blob } | { problem: string } | null>(null)
  useEffect(() => {
    const ending = new AbortController()
    void fetchBlob(path, type, ending.signal).then((fetched) => {
      if (ending.signal.aborted) return
      setState(fetched.ok ? { blob: fetched.value } : { problem: fetched.failure.message })
    })
    return () => ending.abort()
  }, [path, type, stamp])
  if (state === null) return <Skeleton lines={4} />
  if ('problem' in state) return <EmptyState icon={<TriangleAlert />} title={state.problem} />
  return <PictureFrame blob={state.blob} name={name} facts={formatSize(size)} />
}
