import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useBusy } from './use-busy.js';

/** An answer within this time changes nothing visible. */
const VISIBLE_AFTER_MS = 200;

interface ButtonProps {
  children: ComponentChildren;
  /** Runs when the button is pressed. The button is busy, and ignores presses, until its promise is settled. */
  onPress?: (() => unknown) | undefined;
  /** Defaults to `secondary`. */
  rank?: 'primary' | 'secondary' | 'danger' | 'quiet' | 'link';
  /** Defaults to `button`. */
  type?: 'button' | 'submit';
  /** True while something else keeps the button busy. */
  isBusy?: boolean;
  isDisabled?: boolean;
  /** Replaces the text while the button is busy, unless that is over at once. */
  busyLabel?: string;
  /** The accessible name if the text is not enough, as that of one of several buttons "Remove". */
  label?: string;
  /** True if the dialog around the button gives it the focus first. */
  isFirst?: boolean;
}

/** A button that is busy while its work runs. It keeps the focus meanwhile, which a disabled button would lose. */
export function Button({
  children,
  onPress,
  rank = 'secondary',
  type = 'button',
  ...is
}: ButtonProps): VNode {
  const [isWorking, run] = useBusy();
  const isBusy = isWorking || is.isBusy === true;
  const isLate = useIsLate(isBusy);
  return (
    <button
      type={type}
      class={rank === 'link' ? rank : `button ${rank}`}
      aria-label={is.label}
      aria-busy={isBusy || undefined}
      disabled={is.isDisabled}
      data-focus={is.isFirst === true || undefined}
      onClick={onPress && (() => void run(onPress))}
    >
      {isLate && is.busyLabel !== undefined ? is.busyLabel : children}
    </button>
  );
}

function useIsLate(isBusy: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setLate(true), VISIBLE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isBusy]);
  return isLate;
}
