import type { VNode } from 'preact';

type Device = 'phone' | 'tablet' | 'computer' | 'program';

/** On a grid of 24. */
const PATHS: Record<Device, string> = {
  phone: 'M8 2h8a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm3 17h2',
  tablet: 'M6 2h12a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm5 17h2',
  computer:
    'M4 4h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM2 20h20M9 16l-.5 4m6.5-4 .5 4',
  program: 'M4 4h16a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM7 9l3 3-3 3m6 0h4',
};

/** Returns the kind of a device by the header of its browser; an app without one of the known systems is a program. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? '';
  if (/iPad|Tablet/.test(text) || (text.includes('Android') && !text.includes('Mobile'))) return 'tablet';
  if (/iPhone|iPod|Android|Mobile/.test(text)) return 'phone';
  return /Windows|Macintosh|Mac OS X|X11|CrOS/.test(text) ? 'computer' : 'program';
}

/** A picture of the kind of a device. Its name stands beside it. */
export const DeviceIcon = ({ userAgent }: { userAgent: string | null }): VNode => {
  const device = deviceOf(userAgent);
  return (
    <svg class="device-icon" data-device={device} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[device]} />
    </svg>
  );
};
