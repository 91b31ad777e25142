import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { useAccess } from '../react/use-access.js';
import { useCompanies } from '../react/use-companies.js';
import { useSession } from '../react/use-session.js';
import { SecondaryButton } from './form.js';
import { SignIn } from './sign-in.js';
import { errorText, useTexts, type Texts } from './texts.js';

/** The properties of `Protected`. */
export interface ProtectedProps {
  children?: ReactNode;
  /** A module that the user needs in the chosen company. */
  module?: string | undefined;
  /** A permission that the user needs in the chosen company. */
  permission?: string | undefined;
  /** Shown to users without a session. Defaults to `SignIn`. */
  signedOut?: ReactNode;
  /** Shown to users without access. Defaults to a sentence. */
  denied?: ReactNode;
  texts?: Partial<Texts> | undefined;
}

/**
 * Shows its content to signed-in users, and with `module` or `permission` to those who have it in the chosen company. It hides what
 * the user cannot use; the data behind it is protected by the guards of your API only.
 *
 * @example
 * const protectedPage = (props: ProtectedProps) => Protected(props);
 */
export function Protected(props: ProtectedProps): ReactElement {
  const { state } = useSession();
  if (state.status === 'unknown') return <Finding texts={props.texts} />;
  if (state.status === 'signed_out') return <>{props.signedOut ?? <SignIn texts={props.texts} />}</>;
  const needsAccess = props.module !== undefined || props.permission !== undefined;
  return needsAccess ? <WithCompany {...props} /> : <>{props.children}</>;
}

/** Waits until the service has answered whether there is a session. */
function Finding({ texts: replaced }: ProtectedProps): ReactElement {
  const { client } = useSession();
  const texts = useTexts(replaced);
  const [problem, setProblem] = useState<string>();
  const find = async (): Promise<void> => {
    setProblem(undefined);
    const { status } = await client.session.ready();
    if (status === 'unknown') setProblem(texts.unavailable);
  };
  useEffect(() => void find(), [client]);
  return <Waiting problem={problem} texts={texts} reload={() => void find()} />;
}

function WithCompany(props: ProtectedProps): ReactElement {
  const { status, company, error, reload } = useCompanies();
  const texts = useTexts(props.texts);
  if (company) return <WithAccess {...props} companyId={company.companyId} />;
  if (status === 'ready') return <Denied {...props} />;
  return <Waiting problem={error && errorText(texts, error)} texts={texts} reload={() => void reload()} />;
}

function WithAccess(props: ProtectedProps & { companyId: string }): ReactElement {
  const { access, error, reload } = useAccess(props.companyId);
  const texts = useTexts(props.texts);
  if (error?.code === 'forbidden') return <Denied {...props} />;
  if (!access) return <Waiting problem={error && errorText(texts, error)} texts={texts} reload={reload} />;
  const { module, permission } = props;
  const isAllowed =
    (module === undefined || access.modules.includes(module)) &&
    (permission === undefined || access.permissions.includes(permission));
  return isAllowed ? <>{props.children}</> : <Denied {...props} />;
}

function Denied({ denied, texts }: ProtectedProps): ReactElement {
  const { noAccess } = useTexts(texts);
  return <>{denied ?? <p className="lk-denied">{noAccess}</p>}</>;
}

function Waiting(props: { problem: string | undefined; texts: Texts; reload: () => void }): ReactElement {
  if (props.problem === undefined) return <p aria-busy="true">{props.texts.loading}</p>;
  return (
    <div>
      <p className="lk-problem" role="alert">
        {props.problem}
      </p>
      <SecondaryButton onPress={props.reload}>{props.texts.tryAgain}</SecondaryButton>
    </div>
  );
}
