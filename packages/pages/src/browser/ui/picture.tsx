import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { pictureAt } from '../picture.js';

/** The uploaded picture of a user, within an avatar. */
export function Picture({
  url,
  children,
}: {
  /** The picture of the profile, wherever it is. */
  url: string | undefined;
  /** Shown if the user has uploaded no picture, or it cannot be loaded. */
  children: ComponentChildren;
}): VNode {
  const source = pictureAt(url);
  const [missing, setMissing] = useState<string>();
  if (source === undefined || source === missing) return <>{children}</>;
  return (
    <img
      class="picture"
      src={source}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setMissing(source)}
    />
  );
}
