import type { VNode } from 'preact';
import { trustChoiceMessages as messages } from '../../messages/en/trusted-devices.js';

/** The offer to trust this device, and the choice of the user. */
export interface Trust {
  days: number;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

/** It comes before the code, which is sent once it is complete. */
export const TrustChoice = ({ days, isChosen, onChange }: Trust): VNode => (
  <label class="trust">
    <input
      type="checkbox"
      checked={isChosen}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span>
      {messages.trust(days)}
      <span class="hint">{messages.trustHint}</span>
    </span>
  </label>
);
