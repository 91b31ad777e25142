import { App } from './console/app.js';
import { mount } from './ui/mount.js';

mount(<App />);
