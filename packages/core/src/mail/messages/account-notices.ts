import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import type { Block } from './block.js';
import { layOut } from './layout.js';
import type { MailTexts } from './mail-texts.js';
import { factsOf, type MessageContext } from './message-context.js';
import type { MessageFacts } from './message-facts.js';

/** The user who is notified. */
export interface Notified {
  fullName: string | null;
}

type Write<Payload> = (
  texts: MailTexts,
  facts: MessageFacts,
  payload: Payload,
) => { subject: string; blocks: Block[] };

/** A notice to users about their account, without a link: security warnings with links train people to follow phishing mail. */
const notice = <Kind extends string, Payload extends Notified>(kind: Kind, write: Write<Payload>) => ({
  kind,
  compose(payload: Payload, context: MessageContext): MailContent {
    const { subject, blocks } = write(context.texts, factsOf(context), payload);
    const parts = { subject, blocks, name: payload.fullName, reason: context.texts.notice.reason };
    return layOut(parts, context);
  },
});

/** Users type these names themselves, so a name that could be mistaken for part of the mail is left out. */
const named = (facts: MessageFacts, name: string) => ({ ...facts, name: isPlainName(name) ? name : null });

const passwordChangedMail = notice(
  'password_changed',
  ({ notice: { wasYou, wasNotYou }, passwordChanged: texts }, facts, _payload: Notified) => ({
    subject: texts.subject(facts),
    blocks: [texts.changed(facts), wasYou, wasNotYou],
  }),
);

const passkeyAddedMail = notice(
  'passkey_added',
  ({ notice: { wasYou }, passkey: texts }, facts, { passkeyName }: Notified & { passkeyName: string }) => ({
    subject: texts.addedSubject(facts),
    blocks: [texts.added(named(facts, passkeyName)), wasYou, texts.addedNotByYou],
  }),
);

const passkeyRemovedMail = notice(
  'passkey_removed',
  ({ notice: own, passkey: texts }, facts, { passkeyName }: Notified & { passkeyName: string }) => ({
    subject: texts.removedSubject(facts),
    blocks: [texts.removed(named(facts, passkeyName)), own.wasYou, own.wasNotYou],
  }),
);

const identityLinkedMail = notice(
  'identity_linked',
  ({ notice: own, identity: texts }, facts, { connectionName }: Notified & { connectionName: string }) => ({
    subject: texts.linkedSubject(facts),
    blocks: [texts.linked(named(facts, connectionName)), own.wasYou, texts.linkedNotByYou],
  }),
);

const identityUnlinkedMail = notice(
  'identity_unlinked',
  ({ notice: own, identity: texts }, facts, { connectionName }: Notified & { connectionName: string }) => ({
    subject: texts.unlinkedSubject(facts),
    blocks: [texts.unlinked(named(facts, connectionName)), own.wasYou, own.wasNotYou],
  }),
);

const identityReclaimedMail = notice(
  'identity_reclaimed',
  ({ identity: texts }, facts, { connectionName }: Notified & { connectionName: string }) => ({
    subject: texts.reclaimedSubject(facts),
    blocks: [texts.reclaimed(named(facts, connectionName))],
  }),
);

const factorAddedMail = notice(
  'factor_added',
  ({ notice: own, factor: texts }, facts, { factorName }: Notified & { factorName: string }) => ({
    subject: texts.addedSubject(facts),
    blocks: [texts.added(named(facts, factorName)), own.wasYou, own.wasNotYou],
  }),
);

const factorRemovedMail = notice(
  'factor_removed',
  ({ notice: own, factor: texts }, facts, { factorName }: Notified & { factorName: string }) => ({
    subject: texts.removedSubject(facts),
    blocks: [texts.removed(named(facts, factorName)), own.wasYou, own.wasNotYou],
  }),
);

const trustedDeviceAddedMail = notice(
  'trusted_device_added',
  (
    { notice: { wasYou }, trustedDevice: texts },
    facts,
    { device, days }: Notified & { device: string | null; days: number },
  ) => ({
    subject: texts.subject(facts),
    blocks: [texts.added({ ...named(facts, device ?? ''), days }), wasYou, texts.wasNotYou],
  }),
);

const apiKeyCreatedMail = notice(
  'api_key_created',
  (
    { notice: { wasYou }, apiKey: texts },
    facts,
    { keyName, kind }: Notified & { keyName: string; kind: 'PERSONAL' | 'COMPANY' },
  ) => ({
    subject: texts.createdSubject(facts),
    blocks: [
      (kind === 'PERSONAL' ? texts.created : texts.createdForCompany)(named(facts, keyName)),
      wasYou,
      texts.createdNotByYou,
    ],
  }),
);

const apiKeyExpiringMail = notice(
  'api_key_expiring',
  ({ apiKey: texts }, facts, { keyName, keyHint }: Notified & { keyName: string; keyHint: string }) => ({
    subject: texts.expiringSubject(facts),
    blocks: [
      texts.expiring({ ...named(facts, keyName), hint: keyHint }),
      texts.replaceIt,
      texts.noLongerNeeded,
    ],
  }),
);

const factorsResetMail = notice('factors_reset', ({ factor: texts }, facts, _payload: Notified) => ({
  subject: texts.resetSubject(facts),
  blocks: [texts.reset(facts), texts.setUpAgain, texts.notAskedFor],
}));

const recoveryCodeUsedMail = notice(
  'recovery_code_used',
  ({ recoveryCode: texts }, facts, { codesLeft }: Notified & { codesLeft: number }) => ({
    subject: texts.subject(facts),
    blocks: [`${texts.used(facts)} ${texts.left(codesLeft)}`, texts.wasYou, texts.wasNotYou],
  }),
);

const wrongCodesMail = notice(
  'wrong_codes',
  ({ wrongCodes: texts }, facts, { count }: Notified & { count: number }) => ({
    subject: texts.subject(facts),
    blocks: [`${texts.entered(facts)} ${texts.count(count)}`, texts.wasYou, texts.wasNotYou],
  }),
);

export const ACCOUNT_NOTICES = [
  passwordChangedMail,
  passkeyAddedMail,
  passkeyRemovedMail,
  factorAddedMail,
  factorRemovedMail,
  factorsResetMail,
  trustedDeviceAddedMail,
  identityLinkedMail,
  identityUnlinkedMail,
  identityReclaimedMail,
  recoveryCodeUsedMail,
  wrongCodesMail,
  apiKeyCreatedMail,
  apiKeyExpiringMail,
] as const;
