import { KeyRotation } from '../../packages/operations/src/key-rotation/key-rotation.js';

/** One step of a key rotation, for a process that is to be killed: node … rotation-step.ts <folder> <step>. */
const [folder = '', step = ''] = process.argv.slice(2);
const rotation = new KeyRotation(folder, {
  accessTokenTtl: 900,
  serviceTokenTtl: 300,
  sessionMaxLifetime: 900,
  hasPepper: false,
});
if (step === 'publish') await rotation.publish();
if (step === 'promote') await rotation.promote({ force: true });
if (step === 'retire') await rotation.retire({ force: true });
