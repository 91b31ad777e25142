import { useState, type ReactElement } from 'react';
import { useClient } from '../react/provider.js';

/** The uploaded picture of a user; nothing if there is none, if it is on another host, or if it cannot be loaded. */
export function Picture({ url }: { url: string | undefined }): ReactElement | null {
  const source = useClient().account.pictureAt(url);
  const [missing, setMissing] = useState<string>();
  if (source === undefined || source === missing) return null;
  return <img className="lk-picture" src={source} alt="" loading="lazy" onError={() => setMissing(source)} />;
}
