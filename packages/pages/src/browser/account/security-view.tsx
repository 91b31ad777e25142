import type { VNode } from 'preact';
import { appData } from '../app-data.js';
import { pageData } from '../page-data.js';
import { FactorsSection } from './factors-section.js';
import { LinkedSection } from './linked-section.js';
import { PasskeysSection } from './passkeys-section.js';
import { PasswordSection } from './password-section.js';
import { TrustedDevicesSection } from './trusted-devices-section.js';

export const SecurityView = (): VNode => (
  <>
    <PasswordSection />
    {pageData.passkeys && <PasskeysSection />}
    {pageData.providers.length > 0 && <LinkedSection />}
    {appData.secondFactor && <FactorsSection />}
    {appData.trustedDevices && <TrustedDevicesSection />}
  </>
);
