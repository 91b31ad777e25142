import { useEffect, useId, useRef, useState, type ReactElement, type RefObject } from 'react';
import { useClient } from '../react/provider.js';
import { useUser } from '../react/use-user.js';
import { SecondaryButton } from './form.js';
import { Picture } from './picture.js';
import { errorText, useTexts, type Texts } from './texts.js';

/** The properties of `UserButton`. */
export interface UserButtonProps {
  /** The page of the account, such as the `/account` of the service. */
  accountUrl?: string | undefined;
  /** Called after a sign-out, which the state of the session shows, too. */
  onSignedOut?: (() => void) | undefined;
  texts?: Partial<Texts> | undefined;
}

/**
 * A button with the name of the signed-in user, which opens the email, a link to the account, and the sign-out. Renders nothing without
 * a user.
 *
 * @example
 * const userButton = (props: UserButtonProps) => UserButton(props);
 */
export function UserButton({
  accountUrl,
  onSignedOut,
  texts: replaced,
}: UserButtonProps): ReactElement | null {
  const client = useClient();
  const { user } = useUser();
  const texts = useTexts(replaced);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const panel = useId();

  useDismissal(root, isOpen, () => setOpen(false));

  async function signOut(): Promise<void> {
    const { error } = await client.signOut();
    if (error) setProblem(errorText(texts, error));
    else onSignedOut?.();
  }

  if (!user) return null;
  return (
    <div className="lk-user-button" ref={root}>
      <button type="button" aria-expanded={isOpen} aria-controls={panel} onClick={() => setOpen(!isOpen)}>
        <Picture url={user.profilePictureUrl} />
        {user.name ?? user.email}
      </button>
      <div className="lk-panel" id={panel} hidden={!isOpen}>
        <p className="lk-hint">{user.email}</p>
        {accountUrl !== undefined && <a href={accountUrl}>{texts.manageAccount}</a>}
        <SecondaryButton onPress={() => void signOut()}>{texts.signOut}</SecondaryButton>
        <p className="lk-problem" role="alert">
          {problem}
        </p>
      </div>
    </div>
  );
}

/** Closes by a press elsewhere, and by Escape, which returns the focus to the button. */
function useDismissal(root: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: Event): void => {
      if (!root.current?.contains(target as Node)) close();
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      close();
      root.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', onPress);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      document.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
}
