import type { ComponentChildren, VNode } from 'preact';
import { useBusy } from './use-busy.js';

interface ButtonProps {
  children: ComponentChildren;
  /** Runs when the button is pressed. The button is busy, and ignores presses, until its promise is settled. */
  onPress?: (() => unknown) | undefined;
  /** Defaults to `secondary`. */
  rank?: 'primary' | 'secondary' | 'danger' | 'quiet';
  /** Defaults to `button`. */
  type?: 'button' | 'submit';
  /** True while something else keeps the button busy. */
  isBusy?: boolean;
  isDisabled?: boolean;
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
  return (
    <button
      type={type}
      class={`button ${rank}`}
      aria-label={is.label}
      aria-busy={isBusy}
      disabled={is.isDisabled}
      data-focus={is.isFirst === true || undefined}
      onClick={onPress && (() => void run(onPress))}
    >
      {children}
    </button>
  );
}
