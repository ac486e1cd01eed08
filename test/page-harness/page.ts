// The port must stand before the page looks for it; modules run in the order of their imports.
import './fake-port'
import '../../src/renderer/main'
