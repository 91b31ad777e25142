import {
  actionButton,
  codeField,
  formNotice,
  slot,
  submitButton,
  textButton,
  view,
  type CodeField,
} from './controls.js';
import { markup, type Markup } from './markup.js';

interface SecondFactorViewOptions {
  /** Label of the button that ends the second step. */
  leave: string;
  /** True if a passkey completes the sign-in on this page. */
  withPasskeys: boolean;
}

/** Returns the states of a sign-in after its first factor: a code, a recovery code, a passkey, or setting up an app. */
export const secondFactorViews = ({ leave, withPasskeys }: SecondFactorViewOptions): Markup => markup`
${proofViews(leave, withPasskeys)}
${enrolmentViews(leave)}`;

const HEADING = 'Two-step verification';
const account = markup`<p class="lead">Signing in as <strong>${slot('account')}</strong>.</p>`;

const leaveButton = (label: string): Markup => textButton('leave-second-step', label);

/** The script hides the ways that the account does not have. */
const otherWay = (method: string, action: string, label: string): Markup =>
  markup`<p data-method="${method}">${textButton(action, label)}</p>`;

const useCode = otherWay('totp', 'use-code', 'Use the authenticator app');
const useRecoveryCode = otherWay('recovery_code', 'use-recovery-code', 'Use a recovery code');
const usePasskey = otherWay('passkey', 'use-passkey', 'Use a passkey');

interface ProofForm {
  view: string;
  field: CodeField;
  otherWays: readonly Markup[];
  leave: string;
}

const proofView = ({ view: name, field, otherWays, leave }: ProofForm): Markup =>
  view(
    name,
    HEADING,
    markup`
${account}
<form method="post" novalidate aria-label="${HEADING}">
${formNotice}
${codeField(field)}
${submitButton('Verify')}
</form>
<div class="other-ways">${otherWays}<p>${leaveButton(leave)}</p></div>`,
  );

const proofViews = (leave: string, withPasskeys: boolean): Markup => markup`
${proofView({
  view: 'second-code',
  field: {
    id: 'code',
    name: 'code',
    label: 'Code',
    hint: 'The 6 digits that your authenticator app shows for this account.',
    isFirst: true,
  },
  otherWays: [useRecoveryCode, ...(withPasskeys ? [usePasskey] : [])],
  leave,
})}
${proofView({
  view: 'second-recovery',
  field: {
    id: 'recovery-code',
    name: 'recoveryCode',
    label: 'Recovery code',
    hint: 'One of the codes that you saved. Each works once.',
    isFirst: true,
  },
  otherWays: [useCode, ...(withPasskeys ? [usePasskey] : [])],
  leave,
})}
${withPasskeys ? passkeyView(leave) : ''}`;

const passkeyView = (leave: string): Markup =>
  view(
    'second-passkey',
    HEADING,
    markup`
${account}
<p class="lead">Use your passkey to finish signing in.</p>
<div class="actions">
${formNotice}
${actionButton('use-passkey', 'Use a passkey', 'primary')}
</div>
<div class="other-ways"><p>${leaveButton(leave)}</p></div>`,
  );

const copyStatus = markup`<p class="hint" role="status" data-text="copy-status"></p>`;

const enrolmentViews = (leave: string): Markup => markup`
${startView(leave)}
${appView(leave)}
${recoveryCodesView}`;

const startView = (leave: string): Markup =>
  view(
    'enrol-start',
    markup`Set up <span class="unbroken">two-step</span> verification`,
    markup`
<p class="lead">Your account <strong>${slot('account')}</strong> must be protected by a code besides the password. The codes come from an authenticator app on your phone, or from your password manager.</p>
<p class="lead">Have the app ready: you have ${slot('minutes', '5')} minutes to finish.</p>
<div class="actions">
${formNotice}
${actionButton('enrol', 'Set up', 'primary')}
</div>
<div class="other-ways"><p>${leaveButton(leave)}</p></div>`,
  );

const appView = (leave: string): Markup =>
  view(
    'enrol',
    'Add this account to your app',
    markup`
<p class="lead">Scan the QR code with your authenticator app.</p>
<img class="qr-code" alt="QR code for your authenticator app" data-qr-code>
<p class="lead">Can't scan it? Enter this key in the app, or open the app if it's on this device.</p>
<p class="secret"><code data-text="secret"></code></p>
<div class="actions">
<div class="row">
${actionButton('copy-secret', 'Copy the key', 'secondary')}
<a class="secondary" data-otpauth>Open the app</a>
</div>
${copyStatus}
</div>
<form method="post" novalidate aria-label="Confirm the app">
${formNotice}
${codeField({
  id: 'enrol-code',
  name: 'code',
  label: 'Code',
  hint: 'The 6 digits that the app now shows for this account.',
})}
${submitButton('Confirm')}
</form>
<div class="other-ways"><p>${leaveButton(leave)}</p></div>`,
  );

const recoveryCodesView = view(
  'recovery-codes',
  'Save your recovery codes',
  markup`
<p class="lead">If you lose your authenticator app, each of these codes signs <strong>${slot('account')}</strong> in once. Keep them in a safe place: they are not shown again.</p>
<ul class="codes" data-recovery-codes></ul>
<div class="actions">
<div class="row">
${actionButton('copy-recovery-codes', 'Copy', 'secondary')}
${actionButton('download-recovery-codes', 'Download', 'secondary')}
${actionButton('print-recovery-codes', 'Print', 'secondary')}
</div>
${copyStatus}
${actionButton('recovery-codes-saved', "I've saved the codes", 'primary')}
</div>`,
);
