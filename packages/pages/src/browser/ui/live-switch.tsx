import type { VNode } from 'preact';
import { liveMessages as messages } from '../../messages/en/ui.js';

/** A button that lets a list follow its log, and the state of that. */
export const LiveSwitch = ({
  isLive,
  isCutOff,
  onChange,
}: {
  isLive: boolean;
  /** True while new entries cannot be read. */
  isCutOff: boolean;
  onChange: (isLive: boolean) => void;
}): VNode => (
  <div class="live">
    <span class="quiet" role="status">
      {isLive && (isCutOff ? messages.failed : messages.on)}
    </span>
    <button
      type="button"
      class={`button secondary ${isLive ? 'on' : ''}`}
      aria-pressed={isLive}
      onClick={() => onChange(!isLive)}
    >
      <span class="live-dot" aria-hidden="true" /> {messages.live}
    </button>
  </div>
);
