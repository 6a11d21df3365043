# Runs in the virtual machine, as root, in a copy of this folder that also holds the rooms: a whole game on kernel GPIO.
set -e
python3 /rig/gpio-vm/guest/simgpio.py up
PYTHONPATH=/host GPIOZERO_PIN_FACTORY=lgpio python3 zoinx_game.py kernel
