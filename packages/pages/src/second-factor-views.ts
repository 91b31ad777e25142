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
import { fillIn } from './messages/fill-in.js';
import type { Messages } from './messages/messages.js';

interface SecondFactorViewOptions {
  /** Label of the button that ends the second step. */
  leave: string;
  /** True if a passkey completes the sign-in on this page. */
  withPasskeys: boolean;
}

type Texts = Messages['secondFactor'];

/** Returns the states of a sign-in after its first factor: a code, a recovery code, a passkey, or setting up an app. */
export const secondFactorViews = (
  texts: Texts,
  { leave, withPasskeys }: SecondFactorViewOptions,
): Markup => markup`
${proofViews(texts, leave, withPasskeys)}
${startView(texts, leave)}
${appView(texts, leave)}
${recoveryCodesView(texts)}`;

const account = markup`<strong>${slot('account')}</strong>`;

const accountLine = (texts: Texts): Markup =>
  markup`<p class="lead">${fillIn(texts.signingInAs, { account })}</p>`;

const leaveButton = (label: string): Markup => textButton('leave-second-step', label);

/** The script hides the ways that the account does not have. */
const otherWay = (method: string, action: string, label: string): Markup =>
  markup`<p data-method="${method}">${textButton(action, label)}</p>`;

interface ProofForm {
  view: string;
  field: CodeField;
  otherWays: readonly Markup[];
  leave: string;
}

const proofView = (texts: Texts, { view: name, field, otherWays, leave }: ProofForm): Markup =>
  view(
    name,
    texts.heading,
    markup`
${accountLine(texts)}
<form method="post" novalidate aria-label="${texts.heading}">
${formNotice}
${codeField(field)}
${submitButton(texts.verify, texts.verifying)}
</form>
<div class="other-ways">${otherWays}<p>${leaveButton(leave)}</p></div>`,
  );

function proofViews(texts: Texts, leave: string, withPasskeys: boolean): Markup {
  const passkey = withPasskeys ? [otherWay('passkey', 'use-passkey', texts.usePasskey)] : [];
  const code = {
    id: 'code',
    name: 'code',
    label: texts.code,
    hint: texts.codeHint,
    isFirst: true,
  } as const;
  const recoveryCode = {
    id: 'recovery-code',
    name: 'recoveryCode',
    label: texts.recoveryCode,
    hint: texts.recoveryCodeHint,
    isFirst: true,
  } as const;
  const useCode = otherWay('totp', 'use-code', texts.useCode);
  const useRecoveryCode = otherWay('recovery_code', 'use-recovery-code', texts.useRecoveryCode);
  return markup`
${proofView(texts, { view: 'second-code', field: code, otherWays: [useRecoveryCode, ...passkey], leave })}
${proofView(texts, { view: 'second-recovery', field: recoveryCode, otherWays: [useCode, ...passkey], leave })}
${withPasskeys ? passkeyView(texts, leave) : ''}`;
}

const passkeyView = (texts: Texts, leave: string): Markup =>
  view(
    'second-passkey',
    texts.heading,
    markup`
${accountLine(texts)}
<p class="lead">${texts.passkeyLead}</p>
<div class="actions">
${formNotice}
${actionButton('use-passkey', texts.usePasskey, 'primary')}
</div>
<div class="other-ways"><p>${leaveButton(leave)}</p></div>`,
  );

const copyStatus = markup`<p class="hint" role="status" data-text="copy-status"></p>`;

const startView = (texts: Texts, leave: string): Markup =>
  view(
    'enrol-start',
    fillIn(texts.setUpHeading, { twoStep: markup`<span class="unbroken">${texts.twoStep}</span>` }),
    markup`
<p class="lead">${fillIn(texts.setUpLead, { account })}</p>
<p class="lead">${fillIn(texts.setUpTime, { minutes: slot('minutes', texts.fiveMinutes) })}</p>
<div class="actions">
${formNotice}
${actionButton('enrol', texts.setUp, 'primary')}
</div>
<div class="other-ways"><p>${leaveButton(leave)}</p></div>`,
  );

const appView = (texts: Texts, leave: string): Markup =>
  view(
    'enrol',
    texts.addHeading,
    markup`
<p class="lead">${texts.scan}</p>
<img class="qr-code" alt="${texts.qrCode}" data-qr-code>
<p class="lead">${texts.cannotScan}</p>
<p class="secret"><code data-text="secret"></code></p>
<div class="actions">
<div class="row">
${actionButton('copy-secret', texts.copyKey, 'secondary')}
<a class="secondary" data-otpauth>${texts.openApp}</a>
</div>
${copyStatus}
</div>
<form method="post" novalidate aria-label="${texts.confirmApp}">
${formNotice}
${codeField({ id: 'enrol-code', name: 'code', label: texts.code, hint: texts.enrolCodeHint })}
${submitButton(texts.confirm, texts.confirming)}
</form>
<div class="other-ways"><p>${leaveButton(leave)}</p></div>`,
  );

const recoveryCodesView = (texts: Texts): Markup =>
  view(
    'recovery-codes',
    texts.codesHeading,
    markup`
<p class="lead">${fillIn(texts.codesLead, { account })}</p>
<ul class="codes" data-recovery-codes></ul>
<div class="actions">
<div class="row">
${actionButton('copy-recovery-codes', texts.copy, 'secondary')}
${actionButton('download-recovery-codes', texts.download, 'secondary')}
${actionButton('print-recovery-codes', texts.print, 'secondary')}
</div>
${copyStatus}
${actionButton('recovery-codes-saved', texts.codesSaved, 'primary')}
</div>`,
  );
