import type { VNode } from 'preact';
import { CompaniesSection } from './companies-section.js';
import { EmailSection } from './email-section.js';
import { ProfileSection } from './profile-section.js';

export const ProfileView = (): VNode => (
  <>
    <ProfileSection />
    <EmailSection />
    <CompaniesSection />
  </>
);
