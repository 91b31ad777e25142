import type { VNode } from 'preact';
import { appData } from '../app-data.js';
import { CompaniesSection } from './companies-section.js';
import { EmailSection } from './email-section.js';
import { PictureSection } from './picture-section.js';
import { ProfileSection } from './profile-section.js';

export const ProfileView = (): VNode => (
  <>
    {appData.pictures && <PictureSection />}
    <ProfileSection />
    <EmailSection />
    <CompaniesSection />
  </>
);
