import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import HomeStart from './HomeStart.vue';
import MermaidDiagram from './MermaidDiagram.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': () => h(HomeStart) }),
  enhanceApp: ({ app }) => app.component('MermaidDiagram', MermaidDiagram),
};
