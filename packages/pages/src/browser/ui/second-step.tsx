import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { secondStepMessages as messages } from '../../messages/en/second-step.js';
import { uiMessages } from '../../messages/en/ui.js';
import { pageData } from '../page-data.js';
import { passkeysWork } from '../passkey.js';
import { scriptOnDemand } from '../script-on-demand.js';
import { Button } from './button.js';
import { Notice } from './notice.js';
import type { Method, SecondStepProps, SecondStepViews } from './second-step-views.js';
import { View } from './view.js';

const TYPED = ['totp', 'recovery_code'] as const;

/** Returns the methods of a challenge that this page offers, the best first. */
function offeredMethods({ methods }: Schemas['SecondFactorChallenge'], withPasskeys: boolean): Method[] {
  const offered: readonly string[] = withPasskeys && passkeysWork() ? [...TYPED, 'passkey'] : TYPED;
  return methods.filter((each): each is Method => offered.includes(each));
}

/** Reports whether this page can answer a challenge. @param withPasskeys whether a passkey completes the sign-in here. */
export const canAnswer = (challenge: Schemas['SecondFactorChallenge'], withPasskeys: boolean): boolean =>
  challenge.enrol === true || offeredMethods(challenge, withPasskeys).length > 0;

const secondStepViews = scriptOnDemand<{ SecondStepViews: typeof SecondStepViews }>(
  pageData.secondStepScript,
);

/** Loads the views of a second step once a sign-in is likely to need them, so that they are there when it does. */
export function useSecondStepViews(isLikely: boolean): void {
  useEffect(() => {
    if (isLikely) void secondStepViews.load();
  }, [isLikely]);
}

/** The second step of a sign-in. Its views are a script of their own, because most sign-ins end without them. */
export function SecondStep({ withPasskeys, ...step }: SecondStepProps): VNode {
  const [views, setViews] = useState(secondStepViews.loaded);
  const [isMissing, setMissing] = useState(false);
  const load = async (): Promise<void> => {
    setMissing(false);
    const loaded = await secondStepViews.load();
    if (loaded) setViews(loaded);
    else setMissing(true);
  };
  useEffect(() => {
    if (!views) void load();
  }, []);
  if (views)
    return <views.SecondStepViews {...step} methods={offeredMethods(step.challenge, withPasskeys)} />;
  return isMissing ? <MissingView onRetry={load} leave={step.leave} onLeft={step.onLeft} /> : <LoadingView />;
}

const LoadingView = (): VNode => (
  <View name="second-loading" heading={messages.heading}>
    <p class="lead">
      <span class="spinner" />
      {uiMessages.loading}
    </p>
  </View>
);

/** The first factor is still proved: the challenge is kept while the user tries again. */
const MissingView = ({
  onRetry,
  leave,
  onLeft,
}: Pick<SecondStepProps, 'leave' | 'onLeft'> & { onRetry: () => Promise<void> }): VNode => (
  <View name="second-missing" heading={messages.heading}>
    <Notice>{messages.notLoaded}</Notice>
    <div class="actions">
      <Button rank="primary" onPress={onRetry}>
        {uiMessages.tryAgain}
      </Button>
    </div>
    <div class="other-ways">
      <p>
        <Button rank="link" onPress={onLeft}>
          {leave}
        </Button>
      </p>
    </div>
  </View>
);
